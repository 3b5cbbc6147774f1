/** What the answers to HTTP and Prometheus checks of a gate mean. */
import { expect, test } from '@jest/globals';
import type { GateCheckSpec } from '../../../../runtime/api/deployments/wave-gate.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { CheckPlace } from '../../../../runtime/operator/deployments/gates/check-place.ts';
import { Checks } from '../../../../runtime/operator/deployments/gates/checks.ts';

type Answer = { readonly status: number; readonly text: string } | Error;

/** Runs a check in two locations; `answerOf` is what its target answers. */
async function run(check: object, answerOf: (url: URL) => Answer) {
  const asked: string[] = [];
  const unused = async (): Promise<never> => {
    throw new Error('not a check of this test');
  };
  const checks = new Checks({
    targets: {
      get: async (url) => {
        asked.push(url);
        const answer = answerOf(new URL(url));
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    jobs: { run: unused },
    metrics: { value: unused },
  });
  const place = { locations: ['westus', 'eastus'] } as unknown as CheckPlace;
  const result = await checks.run({ name: 'a', ...check } as GateCheckSpec, place, new AbortController().signal);
  return { ...result, asked };
}

test.each([
  [{}, 204, 'Passed'],
  [{}, 302, 'Trying'],
  [{}, 503, 'Trying'],
  [{ status: 403 }, 403, 'Passed'],
  [{ status: 403 }, 200, 'Trying'],
])('a GET with %j that is answered with %d is %s', async (more, status, state) => {
  const url = 'https://example.org/healthz';
  const result = await run({ http: { url, ...more } }, () => ({ status, text: '' }));
  expect(result).toEqual({
    state,
    message: state === 'Passed' ? '' : `${url} is answered with ${status}`,
    asked: [url],
  });
});

test('a check with the location in its text passes where each location does, and names the first that does not', async () => {
  const check = { http: { url: 'https://${location}.example.org/' } };
  const answer = (url: URL) => ({ status: url.hostname.startsWith('east') ? 500 : 200, text: '' });
  expect(await run(check, answer)).toEqual({
    state: 'Trying',
    message: 'eastus: https://eastus.example.org/ is answered with 500',
    asked: ['https://westus.example.org/', 'https://eastus.example.org/'],
  });
});

test('a target that is refused ends the check, and one that does not answer is tried again', async () => {
  const check = { http: { url: 'https://example.org' } };
  expect(await run(check, () => new AzimuthError('AZ_TERMINAL', 'is not allowed'))).toMatchObject({ state: 'Failed' });
  expect(await run(check, () => new Error('no connection'))).toMatchObject({ state: 'Trying' });
});

const vector = (...values: string[]) => ({
  resultType: 'vector',
  result: values.map((value) => ({ value: [1, value] })),
});

test.each([
  ['one sample below the bound', vector('0.05'), { below: 0.1 }, 'Passed', ''],
  ['one sample at the bound', vector('0.1'), { below: 0.1 }, 'Trying', '0.1 is not below 0.1'],
  ['one sample between the bounds', vector('5'), { above: 4, below: 6 }, 'Passed', ''],
  ['one sample under the lower bound', vector('4'), { above: 4, below: 6 }, 'Trying', '4 is not above 4'],
  ['a scalar', { resultType: 'scalar', result: [1, '7'] }, { above: 6 }, 'Passed', ''],
  ['no sample', vector(), { below: 1 }, 'Trying', 'there is no value'],
  ['no number', vector('NaN'), { below: 1 }, 'Trying', 'there is no value'],
  ['a matrix', { resultType: 'matrix', result: [{ values: [[1, '0']] }] }, { below: 1 }, 'Trying', 'there is no value'],
  ['two samples', vector('0', '0'), { below: 1 }, 'Failed', 'the query has 2 results: make it one, such as by sum()'],
])('a query with %s', async (_, data, bounds, state, message) => {
  const check = { prometheus: { url: 'http://prometheus:9090/base', query: 'sum(a) > 0', ...bounds } };
  const text = JSON.stringify({ status: 'success', data });
  expect(await run(check, () => ({ status: 200, text }))).toEqual({
    state,
    message,
    asked: ['http://prometheus:9090/base/api/v1/query?query=sum%28a%29+%3E+0'],
  });
});

test.each([
  [503, '', 'Prometheus answers with 503'],
  [200, 'secret text', 'Prometheus answers with no JSON object'],
  [200, 'null', 'Prometheus answers with no JSON object'],
])(
  'an answer of Prometheus with %d and %p is tried again, and its text is not shown',
  async (status, text, message) => {
    const check = { prometheus: { url: 'http://prometheus:9090', query: 'up', above: 0 } };
    expect(await run(check, () => ({ status, text }))).toMatchObject({ state: 'Trying', message });
  },
);
