/** The oldest API server that the manifests are meant for. */
export class KubernetesVersion {
  readonly #major: number;
  readonly #minor: number;

  private constructor(major: number, minor: number) {
    this.#major = major;
    this.#minor = minor;
  }

  /** Reads `1.27`, `v1.27.3` or `1.27+`. @throws when the text is no such version. */
  static of(text: string): KubernetesVersion {
    const match = /^v?(\d+)\.(\d+)(?:[.+].*)?$/.exec(text);
    if (!match) throw new Error(`Expected \`kubernetesVersion\` to be like 1.27, got \`${text}\``);
    return new KubernetesVersion(Number(match[1]), Number(match[2]));
  }

  atLeast(major: number, minor: number): boolean {
    return this.#major > major || (this.#major === major && this.#minor >= minor);
  }
}
