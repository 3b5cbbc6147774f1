import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { SampleFailure, SampleStep } from './sample-run.ts';
import { nameOf } from './samples.ts';

/** A sample that does not go through its life, as it is, and never will. */
interface KnownFailure {
  readonly sample: RegExp;
  readonly failed: SampleStep;
  /** What is wrong in the sample, or what Azure lacks. */
  readonly reason: string;
}

/** One that passes fails the run. */
const known: readonly KnownFailure[] = [
  {
    sample: /^dbformariadb\S+ Configuration query_cache_size$/,
    failed: 'taken',
    reason: 'Kubernetes takes no underscore in a name',
  },
  {
    sample: /^redhatopenshift\S+ HcpOpenShift(?!ClustersNodePool)/,
    failed: 'taken',
    reason: 'required fields are missing',
  },
  {
    sample: /^redhatopenshift\S+ HcpOpenShiftClustersNodePool/,
    failed: 'Ready',
    reason: 'it waits for its owner, in whose sample required fields are missing',
  },
  {
    sample: /^alertsmanagement\S+ SmartDetectorAlertRule aso-sample-smart-alert-rule$/,
    failed: 'taken',
    reason: 'it writes GroupReferences for groupReferences, which is required',
  },
  {
    sample: /^containerservice\S+\/v1api20240402preview /,
    failed: 'taken',
    reason: 'ASO v2.18 has this version, and v2.20 does not have it any more',
  },
  {
    sample: /^quota\S+ Quota /,
    failed: 'gone',
    reason: 'Azure has no DELETE for a quota: the object stays until its policy lets go',
  },
];

const knownOf = (object: KubeObject) => known.find(({ sample }) => sample.test(nameOf(object)));

/** Names of the samples, as of `nameOf`, that are known to fail. `steps`: @default at any step */
export const namesKnownToFail = (samples: readonly KubeObject[], steps?: readonly SampleStep[]): ReadonlySet<string> =>
  new Set(samples.filter((object) => includes(steps, knownOf(object)?.failed)).map(nameOf));

const includes = (steps: readonly SampleStep[] | undefined, step: SampleStep | undefined) =>
  step !== undefined && (steps?.includes(step) ?? true);

/** What a run of samples should not show: further failures, and known ones that did not happen. */
export function unexpected(samples: readonly KubeObject[], failures: readonly SampleFailure[]): string[] {
  const isKnown = ({ sample, failed }: SampleFailure) =>
    known.some((each) => each.failed === failed && each.sample.test(sample));
  const failed = new Set(failures.filter(isKnown).map(({ sample }) => sample));
  return [
    ...failures
      .filter((each) => !isKnown(each))
      .map(({ sample, failed, detail }) => `${sample}: not ${failed}: ${detail}`),
    ...[...namesKnownToFail(samples)].filter((name) => !failed.has(name)).map((name) => `${name}: passes`),
  ];
}
