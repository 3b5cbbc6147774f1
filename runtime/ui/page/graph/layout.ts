/** A graph for the worker. All nodes have one size, in pixels. */
export interface LayoutRequest {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Between two columns of nodes. */
  readonly between: number;
  readonly nodes: readonly string[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Where nodes (their centres) and edges (the points between their nodes) lie, in pixels. */
export interface LayoutAnswer {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The worker that lays out graphs. The policy of the page lets this one script through, and nothing else. */
export function startLayoutWorker(): Worker {
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('azimuth', { createScriptURL: () => '/layout.js' });
  return new Worker(policy?.createScriptURL('') ?? '/layout.js', { type: 'module' });
}
