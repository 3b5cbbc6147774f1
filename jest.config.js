import { availableParallelism } from 'node:os';
import { kubeconfigsOf } from './test/own-server-environment.js';

/** What all tiers share. ESM mode: TypeScript is only stripped of types, as Node does it, so tests run the code that ships. */
const base = {
  testEnvironment: '<rootDir>/test/compiled-once-environment.js',
  roots: ['<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  // Examples import the package by its name.
  moduleNameMapper: { '^azimuth$': '<rootDir>/constructs/index.ts' },
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  reporters: ['default', '<rootDir>/test/not-run-reporter.js'],
  testSequencer: '<rootDir>/test/start-order.js',
  globalSetup: '<rootDir>/test/run-directory.js',
  testPathIgnorePatterns: ['/node_modules/'],
  // Jest would leave one of two cores idle; two more than cores, as tests wait now and then.
  maxWorkers: availableParallelism() + 2,
  // Modules of ended files stay in a worker's heap: a new worker costs less than the collection of a large one.
  workerIdleMemoryLimit: '1GB',
  // Ends only what hangs: on a busy machine everything may take ten times as long.
  testTimeout: 180_000,
};

/** Tiers of one folder of test/, which other programs start: tools/cluster-tests.ts, node-tests.ts and judge-tests.ts. */
const folders = {
  // A word on the command line leaves out hundreds of tests; recordings wait most of their time.
  aso: { verbose: false, maxConcurrency: 10 },
  browser: { maxWorkers: 1 },
  // An API server for each worker. Publishing all CRDs can take an old server five minutes.
  cluster: {
    testEnvironment: '<rootDir>/test/own-server-environment.js',
    maxWorkers: kubeconfigsOf(process.env).length,
    testTimeout: 600_000,
  },
  'csi-driver': { maxWorkers: 1 },
  'database-servers': { maxWorkers: 1 },
  // A release of 60 kinds took three minutes where ten programs shared a processor.
  gitops: { maxWorkers: 1, testTimeout: 600_000 },
  // A failed test may leave programs and connections behind; the tier ends the cluster in any case.
  node: { maxWorkers: 1, forceExit: true, testTimeout: 240_000 },
  pulumi: { maxWorkers: 1 },
  registries: { maxWorkers: 1, testTimeout: 900_000 },
  release: { maxWorkers: 1, testTimeout: 900_000 },
  sdks: { maxWorkers: 1 },
};

// A slow file that the command line names runs among the units too.
const namesSlowFile = process.argv.some((argument) => argument.endsWith('.slow.test.ts'));
const ownTiers = [...Object.keys(folders), 'bench'].map((folder) => `<rootDir>/test/${folder}/`);

const tiers = {
  /** `npm test`: units and the sandbox in this process. */
  unit: {
    testMatch: ['**/*.test.ts'],
    testPathIgnorePatterns: ['/node_modules/', ...ownTiers, ...(namesSlowFile ? [] : ['\\.slow\\.test\\.ts$'])],
  },
  /** `npm run test:slow`: processes, kills, recorded traffic, guides, network namespaces, az and bundles. */
  slow: { testMatch: ['**/*.slow.test.ts'], globalSetup: '<rootDir>/test/compile-programs.js' },
};
for (const [folder, settings] of Object.entries(folders)) {
  tiers[folder] = { testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`], ...settings };
}

const tier = process.env['AZIMUTH_TEST_TIER'] ?? 'unit';
if (!Object.hasOwn(tiers, tier))
  throw new Error(`AZIMUTH_TEST_TIER=${tier}: use one of ${Object.keys(tiers).join(', ')}`);
// A wait that fails prints what it saw soon; CI, on a busy machine, sets more.
if (tier === 'unit') process.env['AZIMUTH_TEST_WAIT'] ||= '30';

export default { ...base, ...tiers[tier] };
