import { randomUUID } from 'node:crypto';

/** Makes ids that are unique within a session's lifetime; tests pass a counter. */
export type IdSource = (prefix: string) => string;

export const randomIds: IdSource = (prefix) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
