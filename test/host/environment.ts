// Variables of the extension host's own environment, set for the time of one test.

/** Undefined removes a variable. */
export async function withEnvironment(
  variables: Record<string, string | undefined>,
  body: () => Promise<void> | void,
): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  const set = ([name, value]: readonly [string, string | undefined]) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  Object.entries(variables).forEach(set);
  try {
    await body();
  } finally {
    before.forEach(set);
  }
}
