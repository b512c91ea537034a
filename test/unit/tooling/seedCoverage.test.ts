import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const TABLE = 'docs/seed-coverage.md';
const LEAST_ROWS = 120;
const NOT_HERE = 'not in VS Code: ';
/** Of a reason that says why and what stands in the rule's place; characters. */
const SHORTEST_REASON = 30;

interface Row {
  line: number;
  rule: string;
  proof: string;
}

interface NamedTest {
  file: string;
  title: string;
}

interface FoundTest {
  /** With `…` for each value of a repeated test. */
  title: string;
  skipped: boolean;
}

function readRows(markdown: string): Row[] {
  return markdown.split('\n').flatMap((text, index) => {
    const cells = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, rule, proof, ...rest] = cells;
    if (rule === undefined || proof === undefined || /^(Rule|-+)$/.test(rule)) return [];
    assert.deepEqual(rest, [''], `line ${index + 1} has two cells`);
    return [{ line: index + 1, rule, proof }];
  });
}

/** Undefined: the cell names no tests. */
function namedTests(proof: string): NamedTest[] | undefined {
  if (!proof.startsWith('`')) return undefined;
  return proof.split('<br>').map((name) => {
    const [, file, title] = /^`(test\/\S+\.test\.ts) › (.+)`$/.exec(name) ?? [];
    assert.ok(file && title, `not a file and a title: ${name}`);
    return { file, title };
  });
}

const CALL =
  /^(?<indent> *)(?<what>describe|it|xit|xdescribe)(?<skip>\.skip|\.only)?\(\s*(?:'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|`(?<template>(?:[^`\\]|\\.)*)`)/gm;

/** The tests of a formatted file. One inside a skipped `describe` is skipped as well: indentation tells what is inside. */
function testsOf(source: string): FoundTest[] {
  const tests: FoundTest[] = [];
  let skippedAt = Number.POSITIVE_INFINITY;
  for (const { groups = {} } of source.matchAll(CALL)) {
    const depth = groups.indent?.length ?? 0;
    if (depth <= skippedAt) skippedAt = Number.POSITIVE_INFINITY;
    const skipped = groups.skip === '.skip' || groups.what?.startsWith('x') === true;
    if (groups.what?.endsWith('describe')) {
      if (skipped) skippedAt = Math.min(skippedAt, depth);
      continue;
    }
    const template = groups.template?.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…');
    const text = groups.single ?? groups.double ?? template ?? '';
    tests.push({ title: text.replace(/\\(['"`\\])/g, '$1'), skipped: skipped || depth > skippedAt });
  }
  return tests;
}

describe('seed coverage', () => {
  const rows = readRows(readFileSync(TABLE, 'utf8'));

  it(`has at least ${LEAST_ROWS} rows, each with another rule`, () => {
    assert.ok(rows.length >= LEAST_ROWS, `${rows.length} rows`);
    const rules = rows.map(({ rule }) => rule);
    assert.deepEqual(
      rules.filter((rule, index) => rules.indexOf(rule) !== index),
      [],
    );
  });

  it('each row names a test, or why the rule cannot apply, or that it is open', () => {
    for (const { line, rule, proof } of rows) {
      const reason = proof.startsWith(NOT_HERE) ? proof.slice(NOT_HERE.length) : '';
      const known = proof === 'open' || reason.length >= SHORTEST_REASON || (namedTests(proof)?.length ?? 0) > 0;
      assert.ok(known, `line ${line}: "${rule}" has neither a test nor a reason`);
    }
  });

  it('each named test exists and is not skipped', () => {
    const files = new Map<string, FoundTest[]>();
    const problems = rows.flatMap(({ line, proof }) =>
      (namedTests(proof) ?? []).flatMap(({ file, title }) => {
        if (!files.has(file)) files.set(file, testsOf(readFileSync(file, 'utf8')));
        const found = files.get(file)?.find((test) => test.title === title);
        if (!found) return [`line ${line}: ${file} has no test "${title}"`];
        return found.skipped ? [`line ${line}: ${file}: "${title}" is skipped`] : [];
      }),
    );
    assert.deepEqual(problems, []);
  });

  it('tells how many rules are open', () => {
    const open = rows.filter(({ proof }) => proof === 'open').length;
    const elsewhere = rows.filter(({ proof }) => proof.startsWith(NOT_HERE)).length;
    const tested = rows.filter(({ proof }) => namedTests(proof)).length;
    console.log(`      ${rows.length} rules: ${tested} with tests, ${elsewhere} not in VS Code, ${open} open`);
    assert.equal(tested + elsewhere + open, rows.length);
  });
});

describe('reading the titles of tests', () => {
  it('finds plain, quoted, repeated and multi-line titles, and every way of skipping', () => {
    const source = [
      "describe('a', () => {",
      "  it('plain \\'quoted\\'', () => {});",
      `  it(\`each \${value.toLocaleString("en")} of \${list.map((x) => { return x; })}\`, () => {});`,
      '  it(',
      '    "on the next line",',
      '  );',
      "  it.skip('skipped', () => {});",
      "  xit('crossed out', () => {});",
      "  describe.skip('inner', () => {",
      "    it('inside a skipped one', () => {});",
      '  });',
      "  it('after it', () => {});",
      '});',
    ].join('\n');
    assert.deepEqual(
      testsOf(source).map(({ title, skipped }) => `${title}${skipped ? ' (skipped)' : ''}`),
      [
        "plain 'quoted'",
        'each … of …',
        'on the next line',
        'skipped (skipped)',
        'crossed out (skipped)',
        'inside a skipped one (skipped)',
        'after it',
      ],
    );
  });
});
