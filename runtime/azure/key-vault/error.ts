import { AzimuthError } from '../../base/errors.ts';
import { onOneLine } from '../../base/text/text.ts';
import { parseErrorBody } from '../arm/error-body.ts';
import { hideInCode, hideSecrets, isTransient } from '../arm/errors.ts';

/** The attempted action, in the words of access policies. */
export interface VaultAction {
  readonly objects: 'secrets' | 'keys' | 'certificates';
  readonly permission: 'get' | 'list' | 'set' | 'create' | 'update' | 'delete' | 'recover' | 'purge' | 'import';
  readonly name?: string;
}

/** AZ_KEYVAULT_REFUSED; names the vault, the object and the permission, never a value. */
export class KeyVaultError extends AzimuthError {
  readonly status: number;
  /** Forbidden, SecretNotFound, Conflict, ... */
  readonly vaultCode: string;
  /** AccessDenied, ForbiddenByRbac, ObjectIsDeletedButRecoverable, ... */
  readonly innerCode: string | undefined;
  readonly action: VaultAction;
  readonly requestId: string | undefined;

  constructor(
    vault: string,
    action: VaultAction,
    answer: {
      status: number;
      body: unknown;
      text: string;
      requestId?: string | undefined;
      retryAfterMs?: number | undefined;
    },
    hidden: readonly string[] = [],
  ) {
    const { status, requestId } = answer;
    const hide = (text: string) => hideSecrets(text, hidden);
    // Before a long text is cut short, which could leave the first half of a value.
    const body = typeof answer.body === 'string' ? hide(answer.body) : answer.body;
    const parsed = parseErrorBody(body, hide(answer.text));
    const vaultCode = hideInCode(parsed.code ?? `HTTP${status}`, hidden).slice(0, 128);
    const innerCode = parsed.details[0] && hideInCode(parsed.details[0].code, hidden).slice(0, 128);
    const message = hide(parsed.message).slice(0, 4096);
    const need = status === 401 || status === 403 ? `; ${fixFor(innerCode, action)}` : '';
    super(
      'AZ_KEYVAULT_REFUSED',
      `Key Vault ${vault} refused to ${action.permission} ${action.objects}${action.name ? ` "${action.name}"` : ''}: ` +
        `${status} ${vaultCode}${innerCode ? ` (${innerCode})` : ''}${message ? `: ${onOneLine(message)}` : ''}` +
        `${need}${requestId ? ` (request ${requestId})` : ''}`,
      { retryable: isTransient(status) || [401, 403, 404, 409].includes(status), retryAfterMs: answer.retryAfterMs },
    );
    this.status = status;
    this.vaultCode = vaultCode;
    this.innerCode = innerCode;
    this.action = action;
    this.requestId = requestId;
  }

  /** Whether the vault gave this code at any level. */
  hasCode(code: string): boolean {
    return this.vaultCode === code || this.innerCode === code;
  }
}

/** How to fix a refusal of a vault. */
function fixFor(innerCode: string | undefined, { permission, objects }: VaultAction): string {
  if (/Disabled$/.test(innerCode ?? '')) return 'its newest version is disabled: enable it, or delete the object';
  if (innerCode === 'ForbiddenByFirewall') return "the vault's network rules must let this caller in";
  return `the identity needs the permission '${permission}' on ${objects}`;
}
