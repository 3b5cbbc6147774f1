/** ESM mode: TypeScript is only stripped of types, as Node itself does it, so tests run the code that ships. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/cluster/',
    '<rootDir>/test/node/',
    '<rootDir>/test/bench/',
  ],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
  // It only ends what hangs: on a busy machine everything may take ten times as long.
  testTimeout: 180_000,
};
