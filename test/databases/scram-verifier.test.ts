import { expect, test } from '@jest/globals';
import { scramVerifier } from '../../runtime/databases/postgresql/scram-verifier.ts';

test('the verifier has the keys of the example in RFC 7677', async () => {
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
  expect(await scramVerifier('pencil', salt)).toBe(
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  );
});

test('each verifier has its own salt', async () => {
  expect(await scramVerifier('pencil')).not.toBe(await scramVerifier('pencil'));
});

test.each([
  ['an empty text', ''],
  ['NUL', 'a\0b'],
  ['a space without break', 'secret\u00a0word'],
  ['a character without width', 'secret\u200bword'],
  ['a decomposed letter', 'secre\u0301tword'],
  ['a ligature', 'secret\ufb01word'],
])('a password with %s is refused, and the error does not have it', async (_name, password) => {
  const error = await scramVerifier(password).catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ code: 'AZ_DATABASE', failure: 'invalid' });
  expect(String(error)).not.toMatch(/secre/);
});
