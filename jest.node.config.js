import base from './jest.config.js';

/** The node tier: needs a real kubelet on this machine, see tools/node-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/node/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 240_000,
};
