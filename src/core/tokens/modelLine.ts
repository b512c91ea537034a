/** A model id without surrounding blanks, date or `-latest`: what names the same model in tables and in calibration. */
export function modelLine(model: string): string {
  return model.trim().replace(/(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest)$/, '');
}
