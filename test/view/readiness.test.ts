import { expect, test } from '@jest/globals';
import { Environment } from '@marcbachmann/cel-js';
import { healthCheckExpressions } from '../../constructs/gitops/flux.ts';
import { allKinds } from '../../runtime/api/kinds.ts';
import { conditionsOf, stateOf } from '../../runtime/view/model/state.ts';
import { namesOf, type ReadinessCase, readinessCases } from './readiness-cases.ts';
import { rowOf } from './support.ts';

const cel = new Environment({ unlistedVariablesAreDyn: true });
const checks = new Map(
  healthCheckExpressions(allKinds).map(({ apiVersion, kind, current, failed }) => [
    `${apiVersion} ${kind}`,
    { current: cel.parse(current), failed: cel.parse(failed) },
  ]),
);

/** As Flux evaluates `healthCheckExprs`. */
function flux({ object }: ReadinessCase): string {
  const check = checks.get(`${object.apiVersion} ${object.kind}`);
  if (!check) return 'no check';
  const { status, metadata } = object as { status?: unknown; metadata: object };
  const context = { status, metadata: { ...metadata, generation: 2n } };
  const bigStatus = JSON.parse(JSON.stringify(context.status), (name, value) =>
    name === 'observedGeneration' ? BigInt(value) : value,
  );
  const isTrue = (name: 'current' | 'failed') => check[name]({ ...context, status: bigStatus }) === true;
  return isTrue('failed') ? 'Failed' : isTrue('current') ? 'Current' : 'InProgress';
}

/** Source: sigs.k8s.io/cli-utils, pkg/kstatus/status: generic.go and core.go. */
function kstatus({ object }: ReadinessCase): string {
  const { observedGeneration } = object['status'] ?? {};
  if (observedGeneration !== undefined && observedGeneration !== object.metadata.generation) return 'InProgress';
  const conditions = conditionsOf(object);
  if (conditions.some(({ type, status }) => type === 'Reconciling' && status === 'True')) return 'InProgress';
  if (conditions.some(({ type, status }) => type === 'Stalled' && status === 'True')) return 'Failed';
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready && ready.status !== 'True' ? 'InProgress' : 'Current';
}

const cases = readinessCases();

test('tree, page, Flux and kstatus agree on every reason of every kind', () => {
  const differing = cases.flatMap((each) => {
    const state = stateOf(each.object).state as keyof typeof namesOf;
    const expected = namesOf[state]?.kstatus;
    const seen = { state, page: rowOf(each.object).state, flux: flux(each), kstatus: kstatus(each) };
    const agrees = seen.page === state && seen.flux === expected && seen.kstatus === expected;
    return agrees ? [] : [{ kind: each.object.kind, reason: each.reason, ...seen }];
  });
  expect(differing).toEqual([]);
});

test('the table has every kind with a condition of its own', () => {
  const kinds = new Set(cases.map(({ object }) => object.kind));
  const own = allKinds.filter(({ arm, schema }) => {
    return arm === undefined && 'conditions' in (schema.properties?.['status']?.properties ?? {});
  });
  expect(own.map(({ kind }) => kind).filter((kind) => !kinds.has(kind) && kind !== 'ArmResource')).toEqual([]);
});

test.each(['RegionMismatch', 'KeyUnknown', 'BatchAboveUnhealthy', 'ClientIDMismatch', 'Failed'])(
  '%s needs an edit, and so it is Failed',
  (reason) => {
    const found = cases.filter((each) => each.reason === reason && each.object.kind !== 'StorageAccount');
    expect(found.map(({ object }) => stateOf(object).state)).toContain('Failed');
  },
);

test('a run that goes on is in progress for kstatus, and a new spec is in progress until it is reported', () => {
  const running = cases.filter(({ object, reason }) => object.kind === 'ComputeRun' && reason === 'Running');
  expect(running.map(kstatus)).toEqual(['InProgress']);
  const edited = cases.map(({ object, reason }) => {
    return { reason, object: { ...object, metadata: { ...object.metadata, generation: 3 } } };
  });
  expect(new Set(edited.map(kstatus))).toEqual(new Set(['InProgress']));
});
