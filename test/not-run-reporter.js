/**
 * A reporter of Jest that lists, at the end of a run, every test that was skipped, by file. A title that begins with
 * `NOT RUN:` has the reason. So a run that lacks root, a program or a folder is not taken for a complete one.
 */
export default class NotRunReporter {
  #filtered;
  #options;

  /** `options.write`: where the list goes. @default stderr */
  constructor({ testNamePattern }, options = {}) {
    // `-t` skips tests on purpose.
    this.#filtered = Boolean(testNamePattern);
    this.#options = { write: (text) => process.stderr.write(text), ...options };
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.#filtered) return;
    const lines = testResults.flatMap(({ testFilePath, testResults: tests }) => {
      const skipped = tests.filter(({ status }) => status === 'pending');
      const reasons = skipped.map(({ title }) => title).filter((title) => title.startsWith('NOT RUN: '));
      const others = skipped.filter(({ title }) => !title.startsWith('NOT RUN: '));
      const groups = [...new Set(others.map(({ ancestorTitles }) => ancestorTitles[0] ?? 'tests outside of groups'))];
      const file = testFilePath.replace(`${process.cwd()}/`, '');
      const counted = others.length === 0 ? [] : [`${file}: ${others.length} skipped of: ${groups.join('; ')}`];
      return [...reasons.map((reason) => `${file}: ${reason.slice('NOT RUN: '.length)}`), ...counted];
    });
    if (lines.length > 0) this.#options.write(`\nNOT RUN:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
}
