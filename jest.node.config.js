import base from './jest.base.js';

/** The node tier: needs a real kubelet on this machine, see tools/node-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/node/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  // A failed test may leave programs and connections behind; the tier ends the cluster in any case.
  forceExit: true,
  testTimeout: 240_000,
};
