import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { extractMember } from './extract-member.ts';

const folder = mkdtempSync(join(tmpdir(), 'zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const noise = randomBytes(3_000_000);
const zip = Buffer.from(
  zipSync({
    'pkg/a.bin': [noise, { level: 0 }],
    'pkg/b.txt': [Buffer.from('hello '.repeat(50_000)), { level: 9 }],
    'pkg/empty': new Uint8Array(),
  }),
);
const write = (content: Buffer) => {
  const path = join(folder, `${Math.random()}.zip`);
  writeFileSync(path, content);
  return path;
};

test('stored, packed and empty members come out whole', async () => {
  const path = write(zip);
  const target = join(folder, 'out');
  expect(await extractMember(path, 'pkg/a.bin', target)).toEqual({
    sha256: createHash('sha256').update(noise).digest('hex'),
    sizeBytes: noise.length,
  });
  expect(readFileSync(target).equals(noise)).toBe(true);
  expect((await extractMember(path, 'pkg/b.txt', target)).sizeBytes).toBe(300_000);
  expect((await extractMember(path, 'pkg/empty', target)).sizeBytes).toBe(0);
});

test('a missing member names the nearest; damage and cuts are found', async () => {
  const target = join(folder, 'out');
  await expect(extractMember(write(zip), 'pkg/b.text', target)).rejects.toMatchObject({
    code: 'not-found',
    hint: 'did you mean "pkg/b.txt"?',
  });
  const damaged = Buffer.from(zip);
  damaged[1_000_000]! ^= 1;
  await expect(extractMember(write(damaged), 'pkg/a.bin', target)).rejects.toMatchObject({ code: 'integrity' });
  await expect(extractMember(write(zip.subarray(0, zip.length - 30)), 'pkg/a.bin', target)).rejects.toMatchObject({ code: 'integrity' });
  await expect(extractMember(write(Buffer.from('<html>')), 'x', target)).rejects.toMatchObject({ code: 'integrity' });
});

test('a member that unpacks to more than it says is stopped', async () => {
  const liar = Buffer.from(zip);
  const entry = liar.lastIndexOf(Buffer.from('pkg/b.txt')) - 46;
  liar.writeUInt32LE(1000, entry + 24);
  await expect(extractMember(write(liar), 'pkg/b.txt', join(folder, 'out'))).rejects.toMatchObject({
    code: 'integrity',
    message: expect.stringContaining('unpacks to more'),
  });
});
