import base from './jest.base.js';

/** The cluster tier: needs an API server, see tools/cluster-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  // Publishing all CRDs can take an old API server five minutes.
  testTimeout: 600_000,
};
