import { expect, test } from 'vitest';
import { classifyAddress } from './address-guard.ts';

test.each([
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['[::1]', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['2002:7f00:1::', 'loopback'],
  ['169.254.169.254', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['172.32.0.1', 'public'],
  ['100.64.1.1', 'private'],
  ['fd00::1', 'private'],
  ['0.0.0.0', 'reserved'],
  ['::', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['8.8.8.8', 'public'],
  ['2606:4700::1111', 'public'],
])('%s is %s', (address, kind) => {
  expect(classifyAddress(address)).toBe(kind);
});
