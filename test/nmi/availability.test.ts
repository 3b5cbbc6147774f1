import { describe, expect, jest, test } from '@jest/globals';
import { openingOf } from '../../runtime/nmi/availability.ts';
import { cronSchedule } from '../../runtime/nmi/cron.ts';
import type { Binding } from '../../runtime/nmi/objects.ts';
import { eventually } from '../fakes/eventually.ts';
import { anyIdentity, binding, bindingsType, eventsOf, simple, startNmi } from './harness.ts';

const at = Date.parse;
const iso = (instant: number | undefined) => instant && new Date(instant).toISOString();

function opening(availability: object | undefined, now: string, annotations = {}) {
  const made = { apiVersion: '', kind: '', metadata: { name: 'b', annotations }, spec: { availability } } as Binding;
  const result = openingOf(made, at(now));
  return result.open ? `open until ${iso(result.until)}` : `closed until ${iso(result.opensAt)}`;
}

describe('schedules', () => {
  test.each([
    ['0 0 * * mon-fri', 'UTC', '2026-11-20T05:00:00Z', '2026-11-23T00:00:00.000Z'],
    ['*/15 9-17 * * *', 'UTC', '2026-11-20T17:46:00Z', '2026-11-21T09:00:00.000Z'],
    ['0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', '2104-02-29T00:00:00.000Z'],
    ['0 12 1 jan,jul *', 'UTC', '2026-02-01T00:00:00Z', '2026-07-01T12:00:00.000Z'],
    // Either day matches where both are restricted.
    ['0 0 13 * 5', 'UTC', '2026-11-10T00:00:00Z', '2026-11-13T00:00:00.000Z'],
    ['0 0 13 * 5', 'UTC', '2026-11-13T00:00:00Z', '2026-11-20T00:00:00.000Z'],
    ['0 0 * * 7', 'UTC', '2026-11-20T00:00:00Z', '2026-11-22T00:00:00.000Z'],
    ['@hourly', 'UTC', '2026-11-20T00:00:00Z', '2026-11-20T01:00:00.000Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2026-11-20T00:00:00Z', '2026-11-20T03:30:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-03-07T20:00:00Z', '2026-03-08T13:00:00.000Z'],
    ['0 9 * * *', 'America/New_York', '2026-03-06T20:00:00Z', '2026-03-07T14:00:00.000Z'],
    // 02:30 does not exist that day: it happens when the clocks have jumped.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
    // 02:30 comes twice: it happens the first time.
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
    // Every hour is every hour.
    ['30 * * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00.000Z'],
    ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T03:00:00.000Z'],
  ])('%s in %s after %s starts at %s', (schedule, zone, after, expected) => {
    expect(iso(cronSchedule(schedule, zone).next(at(after)))).toBe(expected);
  });

  /** Each has starts in an hour that a change of summer time skips or repeats. */
  const aroundChanges = [
    ['*/20 1-3 * * *', 'Europe/Berlin'],
    ['30 2 * * *', 'America/New_York'],
    ['0 * * * *', 'Australia/Lord_Howe'],
  ] as const;

  test('all starts of a span are those that are found one by one', () => {
    for (const [schedule, zone] of aroundChanges) {
      const cron = cronSchedule(schedule, zone);
      for (const from of ['2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z', '2026-04-04T00:00:00Z'].map(at)) {
        const to = from + 48 * 3_600_000;
        const found: number[] = [];
        for (let start = cron.next(from); start !== undefined && start <= to; start = cron.next(start))
          found.push(start);
        expect(cron.between(from, to).map(iso)).toEqual(found.map(iso));
      }
    }
  });

  test('the last start is found backwards as it was found forwards', () => {
    for (const [schedule, zone] of aroundChanges) {
      const cron = cronSchedule(schedule, zone);
      for (const from of ['2026-03-28T00:00:00Z', '2026-10-24T00:00:00Z', '2026-04-04T00:00:00Z']) {
        let start = cron.next(at(from));
        for (let i = 0; i < 60 && start !== undefined; i++) {
          const following: number = cron.next(start) ?? 0;
          expect(iso(cron.previous(following - 1, 0))).toBe(iso(start));
          start = following;
        }
      }
    }
  });

  test.each([
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '*/0 * * * *',
    '5-1 * * * *',
    'x * * * *',
    '1/2/3 * * * *',
  ])('%s is refused', (schedule) => {
    expect(() => cronSchedule(schedule)).toThrow(/schedule/);
  });

  test('an unknown zone is refused', () => {
    expect(() => cronSchedule('* * * * *', 'Mars/Olympus')).toThrow(/timeZone/);
  });
});

describe('openings', () => {
  const nightly = { timeZone: 'UTC', windows: [{ schedule: '0 0 * * mon-fri', duration: '1h' }] };
  test.each([
    ['no availability', undefined, '2026-11-20T00:00:00Z', 'open until undefined'],
    ['inside a window', nightly, '2026-11-20T00:30:00Z', 'open until 2026-11-20T01:00:00.000Z'],
    ['at its first instant', nightly, '2026-11-20T00:00:00Z', 'open until 2026-11-20T01:00:00.000Z'],
    ['at its end', nightly, '2026-11-20T01:00:00Z', 'closed until 2026-11-23T00:00:00.000Z'],
    [
      'before notBefore',
      { notBefore: '2026-11-20T10:00:00Z' },
      '2026-11-20T09:00:00Z',
      'closed until 2026-11-20T10:00:00.000Z',
    ],
    ['after notAfter', { notAfter: '2026-11-20T10:00:00Z' }, '2026-11-20T10:00:00Z', 'closed until undefined'],
    [
      'up to notAfter',
      { notAfter: '2026-11-20T10:00:00Z' },
      '2026-11-20T09:00:00Z',
      'open until 2026-11-20T10:00:00.000Z',
    ],
    [
      'notBefore inside a window',
      { ...nightly, notBefore: '2026-11-20T00:20:00Z' },
      '2026-11-20T00:00:00Z',
      'closed until 2026-11-20T00:20:00.000Z',
    ],
    [
      'notAfter inside a window',
      { ...nightly, notAfter: '2026-11-20T00:20:00Z' },
      '2026-11-20T00:10:00Z',
      'open until 2026-11-20T00:20:00.000Z',
    ],
    [
      'notAfter before the next window',
      { ...nightly, notAfter: '2026-11-22T00:00:00Z' },
      '2026-11-21T00:00:00Z',
      'closed until undefined',
    ],
    [
      'windows without a gap are one',
      {
        windows: [
          { schedule: '0 8 * * *', duration: '2h' },
          { schedule: '0 10 * * *', duration: '90m' },
        ],
      },
      '2026-11-20T09:00:00Z',
      'open until 2026-11-20T11:30:00.000Z',
    ],
    [
      'a window that cannot be read',
      { windows: [{ schedule: '99 * * * *', duration: '1h' }] },
      '2026-11-20T09:00:00Z',
      'closed until undefined',
    ],
    [
      'a window over the end of summer time lasts as long as it says',
      { timeZone: 'Europe/Berlin', windows: [{ schedule: '0 1 * * *', duration: '3h' }] },
      '2026-10-24T23:30:00Z',
      'open until 2026-10-25T02:00:00.000Z',
    ],
  ])('%s', (_, availability, now, expected) => {
    expect(opening(availability, now)).toBe(expected);
  });

  test.each([
    ['2026-06-10T10:00:30Z', '2026-06-12T10:01:00.000Z'],
    // Within sight of the end of summer time, where each minute of a day was once looked up in the zone's calendar.
    ['2026-10-24T10:00:30Z', '2026-10-26T10:01:00.000Z'],
    ['2026-03-28T10:00:30Z', '2026-03-30T10:01:00.000Z'],
  ])('windows of a minute that follow each other are joined with few looks at the time zone: %s', (now, until) => {
    const looks = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    try {
      const windows = Array.from({ length: 4 }, () => ({ schedule: '* * * * *', duration: '1m' }));
      expect(opening({ timeZone: 'Europe/Berlin', windows }, now)).toBe(`open until ${until}`);
      expect(looks.mock.calls.length).toBeLessThan(1000);
    } finally {
      looks.mockRestore();
    }
  });

  const grant = (text: string) => ({ 'azimuth.dev/grant-until': text });
  test.each([
    ['opens a closed binding', nightly, grant('2026-11-20T12:00:00Z'), 'open until 2026-11-20T12:00:00.000Z'],
    ['that has ended does not', nightly, grant('2026-11-20T08:00:00Z'), 'closed until 2026-11-23T00:00:00.000Z'],
    ['that cannot be read does not', nightly, grant('tomorrow'), 'closed until 2026-11-23T00:00:00.000Z'],
    [
      'without availability is all there is',
      undefined,
      grant('2026-11-20T12:00:00Z'),
      'open until 2026-11-20T12:00:00.000Z',
    ],
    [
      'that has ended closes a binding without availability',
      undefined,
      grant('2026-11-20T08:00:00Z'),
      'closed until undefined',
    ],
    ['that cannot be read keeps it closed', undefined, grant('soon'), 'closed until undefined'],
  ])('a grant %s', (_, availability, annotations, expected) => {
    expect(opening(availability, '2026-11-20T09:00:00Z', annotations)).toBe(expected);
  });

  test('always open by windows that touch stays so, however long one looks', () => {
    const always = { windows: [{ schedule: '0 * * * *', duration: '1h' }] };
    expect(opening(always, '2026-11-20T09:00:00Z')).toMatch(/open until 2026-11-22T/);
  });
});

test('a closed binding is refused with 403 that tells when it opens, and a grant opens it for running pods', async () => {
  await using nmi = await startNmi();
  const notBefore = new Date(Date.now() + 3600_000).toISOString();
  await simple(nmi, {}, { availability: { notBefore } });
  const refused = await nmi.token('127.0.0.5');
  expect(refused.status).toBe(403);
  expect(refused.body).toBe(`the identity is not available now: notBefore lies ahead. It opens at ${notBefore}\n`);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  expect(nmi.imds.requests).toEqual([]);

  const until = Math.floor(Date.now() / 1000) * 1000 + 600_000;
  const annotations = { 'azimuth.dev/grant-until': new Date(until).toISOString() };
  await nmi.kube.put(bindingsType, binding('b', { availability: { notBefore } }, 'app', annotations));
  await eventually('granted', async () => (await nmi.token('127.0.0.5')).status === 200);
  const { json } = await nmi.token('127.0.0.5');
  expect(json.expires_on).toBe(String(until / 1000));
  expect(Number(json.expires_in)).toBeLessThanOrEqual(600);

  await nmi.kube.put(bindingsType, binding('b', { availability: { notBefore } }));
  await eventually('revoked', async () => (await nmi.token('127.0.0.5')).status === 403);
  await nmi.stop();
  expect(
    eventsOf(nmi)
      .map(({ reason }) => reason)
      .sort(),
  ).toEqual(['TokenIssued', 'TokenRefused']);
});

test('the first token ends with the window too', async () => {
  await using nmi = await startNmi();
  const until = Math.floor(Date.now() / 1000) * 1000 + 600_000;
  await simple(nmi, {}, { availability: { notAfter: new Date(until).toISOString() } });
  let first: string | undefined;
  await eventually('it is there', async () => {
    const { status, json } = await nmi.token('127.0.0.5');
    if (status === 200) first = json.expires_on;
    return status === 200;
  });
  expect(nmi.imds.requests).toHaveLength(1);
  expect(first).toBe(String(until / 1000));
});

test('a token that comes after its window has closed is given to nobody', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using nmi = await startNmi({
    imds: async (request) => {
      asked.resolve();
      await answer.promise;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const token = nmi.token('127.0.0.5');
  await asked.promise;
  await nmi.kube.put(bindingsType, binding('b', { availability: { notAfter: '2020-01-01T00:00:00Z' } }));
  answer.resolve();
  // The binding is the same one, so it is not that none fits.
  expect(await token).toMatchObject({ status: 403, body: expect.stringContaining('notAfter has passed') });
});

test('for a closed binding no token is asked for to learn its object id', async () => {
  await using nmi = await startNmi();
  await simple(nmi, {}, { availability: { notAfter: '2020-01-01T00:00:00Z' } });
  await eventually('the pod is known', async () => (await nmi.token('127.0.0.5')).status === 403);
  expect((await nmi.token('127.0.0.5', { object_id: 'oid-client-id' })).status).toBe(404);
  expect(nmi.imds.requests).toEqual([]);
});
