import base from './jest.base.js';
import { kubeconfigsOf } from './test/own-server-environment.js';

/** The cluster tier: needs an API server for each worker, see tools/cluster-tests.ts. */
export default {
  ...base,
  testEnvironment: '<rootDir>/test/own-server-environment.js',
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: kubeconfigsOf(process.env).length,
  // Publishing all CRDs can take an old API server five minutes.
  testTimeout: 600_000,
};
