import { availableParallelism } from 'node:os';

/** What all tiers share. ESM mode: TypeScript is only stripped of types, as Node does it, so tests run the code that ships. */
export default {
  testEnvironment: '<rootDir>/test/compiled-once-environment.js',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  reporters: ['default', '<rootDir>/test/not-run-reporter.js'],
  testSequencer: '<rootDir>/test/start-order.js',
  globalSetup: '<rootDir>/test/run-directory.js',
  // Jest would leave one of two cores idle; two more than cores, as tests wait now and then.
  maxWorkers: availableParallelism() + 2,
  // Modules of ended files stay in a worker's heap: a new worker costs less than the collection of a large one.
  workerIdleMemoryLimit: '1GB',
  // Ends only what hangs: on a busy machine everything may take ten times as long.
  testTimeout: 180_000,
};
