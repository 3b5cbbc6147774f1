import { expect, test } from '@jest/globals';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { InputValues } from '../../../runtime/operator/references/input-values.ts';

const secret = (place: number, key = 'k') =>
  ({ type: 'secret', path: `bodySecrets[${place}]`, name: 's', key }) as const;
const answer = (place: number, id: number, path = `bodySecrets[${place}]`) =>
  ({ type: 'azure', path, id: `/subscriptions/s/resourceGroups/g${id}`, apiVersion: '1' }) as const;

test('a Secret that is named many times is decoded once, and the sum of the values has a bound', () => {
  const values = new InputValues();
  let decoded = 0;
  const decode = () => {
    decoded++;
    return 'x'.repeat(900_000);
  };
  for (let place = 0; place < 4; place++) values.secret(secret(place), decode);
  expect(decoded).toBe(1);
  expect(() => values.secret(secret(4), decode)).toThrow(/bodySecrets\[4\], are more than 4194304 characters/);
});

test('an answer is read once for all places, and one object names at most twenty', async () => {
  const values = new InputValues();
  const reads: string[] = [];
  const read = async ({ id }: { readonly id: string }) => {
    reads.push(id);
    return 'value';
  };
  for (let place = 0; place < 30; place++) await values.remote(answer(place, place % 3), read);
  expect(reads).toHaveLength(3);
  for (let id = 3; id < 20; id++) await values.remote(answer(id, id), read);
  await expect(values.remote(answer(40, 40), read)).rejects.toThrow(/more than 20 answers/);
});

test('of an answer that an expression reads, only its value counts for scopes and for a new PUT', async () => {
  const values = new InputValues();
  const source = 'bodySecrets[0].secrets[0]';
  await values.remote(answer(0, 1, source), async () => ({ etag: '1', blob: 'https://a.example/' }));
  values.expression({
    type: 'expression',
    path: 'bodySecrets[0]',
    expression: "[parameters('secret0').blob]",
    secrets: [source],
  });
  expect([...values.secrets]).toEqual([['bodySecrets[0]', 'https://a.example/']]);
  expect([...values.inputs.keys()]).toEqual(['bodySecrets[0]']);
  expect(values.inputs.get('bodySecrets[0]')).toBeInstanceOf(SecretValue);
});

test('errors hide the texts of which an expression makes a value', () => {
  const values = new InputValues();
  values.secret({ ...secret(0), path: 'bodySecrets[0].secrets[0]' }, () => 'long-password');
  values.secret({ ...secret(0, 'short'), path: 'bodySecrets[0].secrets[1]' }, () => 'abc');
  values.expression({
    type: 'expression',
    path: 'bodySecrets[0]',
    expression: "[concat('Password=', parameters('secret0'), parameters('secret1'))]",
    secrets: ['bodySecrets[0].secrets[0]', 'bodySecrets[0].secrets[1]'],
  });
  expect(values.parts).toEqual(['long-password']);
});

test('a value of a vault that changes leads to a PUT', async () => {
  const values = new InputValues();
  const input = { type: 'keyVault', path: 'bodySecrets[0]', id: '/subscriptions/s', secret: 'one' } as const;
  await values.remote(input, async () => 'second');
  expect([...values.secrets]).toEqual([['bodySecrets[0]', 'second']]);
});
