// Marks on errors: before this one the provider gave up the transcript that the request's backend state names. A mark
// leaves the error's text and chain as they are (seed heading "Compaction", BackendStateRetired).

const retired = new WeakSet<object>();

export function markBackendStateRetired(error: unknown): void {
  if (isObject(error)) retired.add(error);
}

/** The error or one of its causes is marked. */
export function isBackendStateRetired(error: unknown): boolean {
  return chainOf(error).some((each) => retired.has(each));
}

/** For an error that leaves a call whose retirements concern nobody else. */
export function hideBackendStateRetirement(error: unknown): void {
  for (const each of chainOf(error)) retired.delete(each);
}

function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  for (let each = error; isObject(each) && !chain.includes(each); each = 'cause' in each ? each.cause : undefined) {
    chain.push(each);
  }
  return chain;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
