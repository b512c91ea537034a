import assert from 'node:assert/strict';
import { toolDefinitions } from '../../../src/core/tools/definition.ts';
import { allTools } from '../../../src/core/tools/registry.ts';

describe('toolDefinitions', () => {
  it('A14: sorted by name and the same bytes in whatever order the tools come', () => {
    const definitions = toolDefinitions(allTools());
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['bash', 'edit', 'glob', 'grep', 'history', 'list', 'read', 'write'],
    );
    assert.equal(JSON.stringify(toolDefinitions(allTools().reverse())), JSON.stringify(definitions));
  });

  it('gives the model a description and a schema of the input alone', () => {
    for (const { name, description, inputSchema } of toolDefinitions(allTools())) {
      assert.ok(description.length > 80 && description === description.trim(), name);
      assert.equal(inputSchema.type, 'object');
      const text = JSON.stringify(inputSchema);
      assert.ok(!text.includes('$schema') && !text.includes(String(Number.MAX_SAFE_INTEGER)), text);
      const properties = Object.keys(inputSchema.properties ?? {});
      // Every parameter that is not plain from its schema is explained in the description.
      const plain = ['path', 'command', 'pattern', 'new_text', 'action'];
      for (const property of properties.filter((each) => !plain.includes(each))) {
        assert.ok(description.includes(`\`${property}\``), `${name}.${property}`);
      }
    }
  });

  it('A14: the schemas are these, to the byte: another order of keys would already miss the cache', () => {
    const text = { type: 'string', minLength: 1 };
    const page = (maximum: number, skipped: string) => ({
      limit: { type: 'integer', minimum: 1, maximum },
      offset: { description: `${skipped} to skip`, type: 'integer', minimum: 0 },
    });
    const whole = (first: string) => ({ description: first, type: 'integer', minimum: 1 });
    const schema = (properties: object, ...required: string[]) =>
      required.length > 0 ? { type: 'object', properties, required } : { type: 'object', properties };
    const expected = {
      bash: schema(
        { command: text, cwd: text, timeout: { description: 'seconds', type: 'integer', minimum: 1, maximum: 600 } },
        'command',
      ),
      edit: schema(
        { path: text, old_text: text, new_text: { type: 'string' }, replace_all: { type: 'boolean' } },
        'path',
        'old_text',
        'new_text',
      ),
      glob: schema({ pattern: text, path: text, ...page(1_000, 'files') }, 'pattern'),
      grep: schema(
        {
          pattern: { ...text, description: 'regular expression' },
          path: text,
          glob: text,
          ignore_case: { type: 'boolean' },
          context: { description: 'lines around a match', type: 'integer', minimum: 0, maximum: 10 },
          ...page(500, 'lines'),
        },
        'pattern',
      ),
      history: schema(
        {
          action: { type: 'string', enum: ['search', 'read'] },
          query: { description: 'for search: the text to find', type: 'string' },
          id: { description: 'for read: id of a message, a tool result or a tool call', type: 'string' },
          limit: { description: 'for search: number of hits', type: 'integer', minimum: 1, maximum: 50 },
          offset: { description: 'search: hits to skip; read: first byte', type: 'integer', minimum: 0 },
        },
        'action',
      ),
      list: schema({ path: text, ...page(1_000, 'entries') }),
      read: schema(
        {
          path: text,
          offset: whole('first line, from 1'),
          limit: whole('number of lines'),
          column: whole('first character inside the line `offset`, from 1'),
        },
        'path',
      ),
      write: schema({ path: text, content: { type: 'string' } }, 'path', 'content'),
    };
    const found = toolDefinitions(allTools()).map(({ name, inputSchema }) => [name, inputSchema]);
    assert.equal(JSON.stringify(Object.fromEntries(found)), JSON.stringify(expected));
  });

  it('only tools that read may run side by side, and only they run unasked', () => {
    for (const { name, effect, parallel } of allTools()) assert.equal(parallel, effect === 'read', name);
  });
});
