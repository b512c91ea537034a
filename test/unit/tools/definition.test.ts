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
    const bash = toolDefinitions(allTools())[0]?.inputSchema;
    assert.deepEqual(bash, {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1 },
        cwd: { type: 'string', minLength: 1 },
        timeout: { type: 'integer', minimum: 1, maximum: 600, description: 'seconds' },
      },
      required: ['command'],
    });
  });

  it('only tools that read may run side by side, and only they run unasked', () => {
    for (const { name, effect, parallel } of allTools()) assert.equal(parallel, effect === 'read', name);
  });
});
