import { expect, test } from '@jest/globals';
import { runView, type WatchedRun } from '../../../runtime/view/watch/run-view.ts';
import { block, deployment, locationRun, run, shownNames, view } from './support.ts';

test('it has each location, and the resources that are under way, have failed or were left out', () => {
  const found = view(
    block('A/1', 'Succeeded'),
    block('A/2', 'Running', { action: 'Create', reason: 'Reconciling', since: '2026-01-01T00:00:00Z' }),
    block('A/3', 'Waiting'),
    block('A/4', 'Failed', { action: 'Modify', message: 'no quota' }),
    block('A/5', 'Skipped'),
  );
  expect(found).toMatchObject({ title: 'shop-2 (GoalChanged) Running 50%', state: 'Running' });
  expect(found.end).toBeUndefined();
  expect(shownNames(found)).toEqual(['westeurope', 'A/2', 'A/4', 'A/5', 'northeurope']);
  expect(found.lines[0]).toMatchObject({ level: 0, progress: '50% wave 1' });
  expect(found.lines[2]).toMatchObject({ level: 1, progress: 'Create', since: '2026-01-01T00:00:00Z' });
});

test.each([
  ['Succeeded', {}, 'Succeeded'],
  ['Succeeded', { reason: 'Rollback' }, 'Failed'],
  ['Failed', {}, 'Failed'],
  ['Cancelled', {}, 'Failed'],
  ['Refused', {}, 'Failed'],
  ['Superseded', {}, undefined],
  ['Paused', {}, undefined],
  ['Suspended', {}, undefined],
])('a run that is %s with %j ends the watch as %s', (state, more, end) => {
  expect(runView(deployment(), [run({ state, ...more })]).end).toBe(end);
});

test('a roll-back says which run it undoes, and why that failed', () => {
  const earlier = (name: string, second: number, status: object): WatchedRun => ({
    ...run(status),
    metadata: { ...run().metadata, name, uid: name, creationTimestamp: `2026-01-01T00:00:0${second}Z` },
  });
  const runs = [
    earlier('shop-0', 1, { state: 'Failed', message: 'long ago' }),
    earlier('shop-1', 2, { state: 'Failed', message: '1 of 3 instances are ill' }),
    run({ reason: 'Rollback', state: 'Running' }),
  ];
  const title = 'shop-2 (Rollback) Running 50%';
  expect(runView(deployment(), runs).title).toBe(`${title}, after shop-1 failed: 1 of 3 instances are ill`);
  expect(runView(deployment(), runs.slice(-1)).title).toBe(title);
});

test('a run of an earlier spec does not count: the operator has not seen the present one', () => {
  const found = runView(deployment({ run: 'shop-2' }, { observedGeneration: 1 }), [run({ state: 'Succeeded' })]);
  expect(found).toEqual({ title: 'shop waits for the operator', state: '', lines: [] });
});

test('a goal that cannot run, and a deletion, end the watch', () => {
  const invalid = deployment({ run: 'shop-2' }, { reason: 'TemplateInvalid', message: 'template: no' });
  expect(runView(invalid, [run()])).toMatchObject({
    title: 'shop has a goal that cannot run: template: no',
    end: 'Failed',
  });
  const deleted = deployment({ run: 'shop-2' }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
  expect(runView(deleted, [run()])).toMatchObject({ title: 'shop is being deleted', end: 'Failed' });
});

test('blocks of a run that belongs to another one are not shown', () => {
  const other = locationRun('westeurope', [block('A/1', 'Failed')], 'another');
  expect(shownNames(runView(deployment(), [run(), other]))).toEqual(['westeurope', 'northeurope']);
});

test('texts of a tenant are escaped and cut, and members of a wrong type do no harm', () => {
  const [, line] = view(
    block(`A/\u001b[2J${'x'.repeat(2000)}`, 'Failed', { message: `a\nb\u202e${'y'.repeat(2000)}` }),
  ).lines;
  expect(line?.name).toMatch(/^A\/\\u001b\[2Jx/);
  expect(line?.name.length).toBeLessThan(700);
  expect(line?.message).toMatch(/^a\\nb\\u202ey/);
  expect(line?.message.length).toBeLessThan(400);
  const broken = run({ state: 7, percent: 'x', reason: {}, message: [], locations: [null, 'x', { location: 3 }] });
  expect(runView(deployment(), [broken]).lines).toMatchObject([{ name: '', state: '' }]);
  expect(runView({ ...deployment(), status: 'x' }, [broken]).title).toBe('shop waits for the operator');
});

test('a run that a gate holds says which gate, and what it waits for', () => {
  const message = 'gate after wave 1: waits for the approval of a person';
  expect(runView(deployment(), [run({ state: 'Paused', message })]).title).toBe(
    `shop-2 (GoalChanged) Paused 50%: ${message}`,
  );
});
