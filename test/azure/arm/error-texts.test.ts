import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ArmError,
  armErrorInfo,
  hideSecrets,
  maxMessageLength,
  stripVolatile,
} from '../../../runtime/azure/arm/errors.ts';
import { KeyVaultError } from '../../../runtime/azure/key-vault/error.ts';

test('two messages that differ only in what is volatile become one; stable ids stay', () => {
  const denied =
    "The client '11111111-2222-3333-4444-555555555555' has no access to '/subscriptions/66666666-7777-8888-9999-000000000000'";
  expect(stripVolatile(denied)).toBe(denied);
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.uuid(),
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      (a, b, date) => {
        const say = (id: string, time: Date) =>
          stripVolatile(`Denied. Tracking id: ${id}, timestamp ${time.toISOString()}, x-ms-request-id=${id}`);
        expect(say(a, date)).toBe(say(b, new Date(0)));
      },
    ),
  );
});

test('of secrets that begin alike the longest is hidden first, so that nothing of it is left', () => {
  expect(hideSecrets('got hunter2-with-more and hunter2', ['hunter2', 'hunter2-with-more'])).toBe('got *** and ***');
});

test('a short secret makes no other code of the one that Azure sent', () => {
  const body = { error: { code: 'Conflict', message: 'no' } };
  expect(armErrorInfo({ status: 409, body, secrets: ['o', 'Con'] })).toMatchObject({
    code: 'Conflict',
    message: 'n***',
  });
});

test.each([
  ['plain text that is cut short within it', (secret: string) => `${'x'.repeat(490)} ${secret}`],
  ['an error that is a text', (secret: string) => ({ error: `no ${secret}` })],
  ['a code that is a sentence', (secret: string) => ({ error: { code: `bad ${secret}`, message: 'no' } })],
  [
    'the code of a detail',
    (secret: string) => ({ error: { code: 'A', details: [{ code: `b ${secret}`, message: '' }] } }),
  ],
])('no part of a secret is in what is made of %s', (_, bodyOf) => {
  const secret = 'Correct-horse-battery-staple';
  const body = bodyOf(secret);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const info = armErrorInfo({
    status: 400,
    body: typeof body === 'string' ? undefined : body,
    text,
    secrets: [secret],
  });
  const action = { objects: 'secrets', permission: 'set', name: 'x' } as const;
  const vault = new KeyVaultError(
    'kv',
    action,
    { status: 400, body: typeof body === 'string' ? undefined : body, text },
    [secret],
  );
  for (const said of [
    JSON.stringify(info),
    new ArmError('PUT', '/x', info).message,
    `${vault.message} ${vault.vaultCode} ${vault.innerCode}`,
  ]) {
    expect(said).not.toMatch(/Correct|horse|staple/);
  }
});

test('codes and texts of any length are cut short, after the secrets in them are hidden', () => {
  const secret = 'S'.repeat(50);
  const long = `${'x'.repeat(100)}${secret}${'y'.repeat(100_000)}`;
  const body = { error: { code: long, message: long, target: long, details: [{ code: long, message: long }] } };
  const info = armErrorInfo({ status: 400, body, secrets: [secret] });
  const texts = [info.code, info.topLevelCode, info.message, info.target, ...info.details.map((one) => one.code)];
  for (const text of texts) {
    expect(text?.length).toBeLessThanOrEqual(4096);
    expect(text).not.toContain('SS');
  }
  expect(info.code).toHaveLength(128);
});

test('a message of the greatest length is kept whole, of a longer one the beginning', () => {
  expect(stripVolatile('x'.repeat(maxMessageLength))).toBe('x'.repeat(maxMessageLength));
  expect(stripVolatile(`${'x'.repeat(maxMessageLength)}y`)).toBe(`${'x'.repeat(maxMessageLength)}…`);
});

test('of a request with more than 200 secrets no text of Azure is shown, whose search would take seconds', () => {
  const secrets = Array.from({ length: 201 }, (_, index) => `secret-${index}`);
  const body = { error: { code: 'Bad', message: 'got secret-7', details: [{ code: 'X', message: 'secret-8' }] } };
  const info = armErrorInfo({ status: 400, body, secrets });
  expect(info).toMatchObject({ code: 'Bad', message: '(not shown: it might repeat one of 201 secrets)' });
  expect(JSON.stringify(info)).not.toContain('secret-');
  expect(armErrorInfo({ status: 400, body, secrets: secrets.slice(0, 200) })).toMatchObject({ message: 'got ***' });
});
