import { expect, test } from '@jest/globals';
import { KubeStatusError } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import { readerShare } from '../../runtime/ui/cluster/reader-share.ts';

const client = (answer: object | number) =>
  ({
    create: async () => {
      if (typeof answer === 'number') throw refusal(answer);
      return answer;
    },
  }) as unknown as KubeClient;
const refusal = (code: number) => new KubeStatusError({ verb: 'create', resource: 'selfsubjectreviews' }, code, {});
const user = (username: string) => client({ status: { userInfo: { username } } });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (sub: string, pod: string) => `${part({ alg: 'RS256' })}.${part({ sub, pod })}.x`;

test('accounts of one namespace have one share, whoever makes many of them, and each is a user', async () => {
  const [a, b, c] = await Promise.all(
    ['system:serviceaccount:shop:a', 'system:serviceaccount:shop:b', 'mara@example.com'].map((name) =>
      readerShare(user(name), 'token'),
    ),
  );
  expect(a?.share).toBe(b?.share);
  expect(a?.user).not.toBe(b?.user);
  expect(c).toEqual({ user: 'mara@example.com', share: 'mara@example.com' });
});

test.each([404, 403])(
  'where the API server names no user (%i), the tokens of one account are one user',
  async (code) => {
    const account = 'system:serviceaccount:shop:web';
    const [one, two, opaque] = await Promise.all(
      [tokenOf(account, 'one'), tokenOf(account, 'two'), 'opaque'].map((token) => readerShare(client(code), token)),
    );
    expect(one).toEqual(two);
    expect(one).toEqual(await readerShare(user(account), 'any'));
    expect(opaque?.user).not.toBe(one?.user);
    expect(JSON.stringify(opaque)).not.toContain('opaque');
  },
);

test('a token that the API server refuses is no reader, whatever it claims', async () => {
  await expect(readerShare(client(401), tokenOf('system:admin', 'one'))).rejects.toMatchObject({ status: 401 });
});
