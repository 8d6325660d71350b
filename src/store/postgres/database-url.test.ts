import { expect, test } from 'vitest';
import { databaseAddress } from './database-url.ts';

test('the URL names the place, the environment the secrets', () => {
  const address = databaseAddress('postgres://ann@db.example:6543/team', { PGPASSWORD: 'p w' });
  expect(address).toMatchObject({ host: 'db.example', port: 6543, database: 'team', user: 'ann', password: 'p w', tls: false });
  expect(address.shown).toBe('postgres://db.example:6543/team');
  expect(databaseAddress(undefined, { SLMBENCH_DATABASE_URL: 'postgres://ann:s%40crt@db/team' })).toMatchObject({
    password: 's@crt',
    port: 5432,
  });
  expect(databaseAddress('postgres://[::1]:5433/x', {})).toMatchObject({ host: '::1', port: 5433 });
  expect(databaseAddress('postgres://db?sslmode=verify-full', {})).toMatchObject({
    database: 'slmbench',
    tls: { rejectUnauthorized: true },
  });
  expect(databaseAddress('postgres://db?sslmode=require', {})).toMatchObject({ tls: { rejectUnauthorized: false } });
});

test.each([
  ['postgres://ann:secret@db/team', 'password on the command line'],
  ['postgres://db/team?password=secret', 'password on the command line'],
  ['mysql://db/team', 'scheme "mysql"'],
  ['db:5432', ''],
  ['nonsense', 'not a database URL'],
  ['postgres://db/team?sslmode=yes', 'unknown sslmode'],
  ['postgres://db/team?colour=red', 'unknown parameter "colour"'],
])('%s is a usage error', (url, message) => {
  expect(() => databaseAddress(url, {})).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }));
  expect(() => databaseAddress(url, {})).not.toThrow(expect.objectContaining({ message: expect.stringContaining('secret') }));
});

test('no address at all says both ways to give one', () => {
  expect(() => databaseAddress(undefined, {})).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.stringContaining('SLMBENCH_DATABASE_URL') }),
  );
});
