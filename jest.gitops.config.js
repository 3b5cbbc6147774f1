import base from './jest.base.js';

/** The tools that apply manifests, see tools/judge-tests.ts. Each test that needs an API server starts one, one at a time. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/gitops/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  // A release of 60 kinds took three minutes where ten programs shared a processor.
  testTimeout: 600_000,
};
