import base from './jest.base.js';

/** The stacks by the Pulumi CLI, see tools/judge-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/pulumi/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
