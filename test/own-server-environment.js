import TestEnvironment from './compiled-once-environment.js';

/** The values of KUBECONFIG of a run, one for each worker: a list in JSON, as one value may itself name several files. */
export const kubeconfigsOf = ({ AZIMUTH_KUBECONFIGS, KUBECONFIG = '' }) =>
  AZIMUTH_KUBECONFIGS === undefined ? [KUBECONFIG] : JSON.parse(AZIMUTH_KUBECONFIGS);

/** Gives each worker an API server of its own: tests of two files would take each other's definitions away. */
export default class OwnServerEnvironment extends TestEnvironment {
  constructor(...args) {
    // A test has a copy of the environment; programs that it starts inherit this one.
    const worker = Number(process.env.JEST_WORKER_ID ?? 1);
    process.env.KUBECONFIG = kubeconfigsOf(process.env)[worker - 1];
    super(...args);
  }
}
