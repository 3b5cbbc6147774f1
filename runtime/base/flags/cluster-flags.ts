import { tryParseDuration } from '../duration.ts';
import { expected } from '../errors.ts';
import { type Flag, kubeconfigFlag, optional, type Parser } from '../program.ts';
import { named } from '../settings.ts';

/** The longest time that a timer of Node.js takes. */
const longestMs = 2 ** 31 - 1;

/** Milliseconds of a time as kubectl takes it: 90s, 2m or whole seconds; undefined for 0, which means no bound. */
const boundMs: Parser<number | undefined> = (setting, text) => {
  const value = text(setting);
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : tryParseDuration(value);
  if (ms === undefined) throw expected(named(setting), 'a duration such as 30s or 2m, or 0 for no bound', value);
  return ms === 0 ? undefined : Math.min(ms, longestMs);
};

/** Flags of a command that reads a cluster: which one, and how long it may take. */
export const clusterFlags = {
  kubeconfig: kubeconfigFlag,
  context: {
    flag: 'context',
    value: 'NAME',
    default: '',
    meaning: 'context of the kubeconfig; the current one when empty',
    parse: optional,
  },
  cluster: {
    flag: 'cluster',
    value: 'NAME',
    default: '',
    meaning: 'cluster of the kubeconfig; that of the context when empty',
    parse: optional,
  },
  requestTimeoutMs: {
    flag: 'request-timeout',
    value: 'DURATION',
    default: '60s',
    meaning: 'time that the API server has for the beginning of an answer; 0 is no bound',
    parse: boundMs,
  },
  timeoutMs: {
    flag: 'timeout',
    value: 'DURATION',
    default: '0',
    meaning: 'time that the command has in all; 0 is no bound',
    parse: boundMs,
  },
} as const satisfies Record<string, Flag>;

/** The values of `clusterFlags`. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly cluster: string | undefined;
  readonly requestTimeoutMs: number | undefined;
  readonly timeoutMs: number | undefined;
}
