import base from './jest.base.js';

/** Samples and recorded tests of Azure Service Operator's own module, see tools/judge-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/aso/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  // A word on the command line leaves out hundreds of tests.
  verbose: false,
  // Recordings wait most of their time.
  maxConcurrency: 10,
};
