import assert from 'node:assert/strict';
import { imageFacts } from './image.ts';

/** A WebP container around one chunk. */
function webp(chunk: string, payloadHex: string): Buffer {
  const head = Buffer.from(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`, 'latin1');
  return Buffer.concat([head, Buffer.from(payloadHex.padEnd(40, '0'), 'hex')]);
}

describe('imageFacts', () => {
  it('reads GIF', () => {
    const bytes = Buffer.from('GIF89a\x40\x01\xf0\x00', 'latin1');
    assert.deepEqual(imageFacts(bytes), { mediaType: 'image/gif', width: 320, height: 240 });
  });

  it('reads the three kinds of WebP', () => {
    const size = { mediaType: 'image/webp', width: 320, height: 240 };
    assert.deepEqual(imageFacts(webp('VP8 ', '0000009d012a4001f000')), size);
    // 14 bits of width - 1, then 14 bits of height - 1, after the signature byte 2f.
    const packed = Buffer.alloc(4);
    packed.writeUInt32LE(319 | (239 << 14));
    assert.deepEqual(imageFacts(webp('VP8L', `2f${packed.toString('hex')}`)), size);
    assert.deepEqual(imageFacts(webp('VP8X', '000000003f0100ef0000')), size);
  });

  it('does not guess from too few bytes or another format', () => {
    for (const bytes of ['', '\x89PNG', 'GIF89a', 'RIFF____WEBP', '\xff\xd8\xff', 'BM______________________________'])
      assert.equal(imageFacts(Buffer.from(bytes, 'latin1')), undefined, bytes);
  });
});
