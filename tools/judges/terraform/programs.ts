import { dirname, join } from 'node:path';
import type { GoModule } from '../go-module.ts';
import { buildModuleProgram } from '../module-program.ts';

const tofu: GoModule = {
  path: 'github.com/opentofu/opentofu',
  version: 'v1.12.6',
  checksum: 'h1:0VT4P8pMmGcCUnQ9JDrJ+Qg2d35Vzm4FFd/9+H7oF98=',
};
/** 5.2.0 and four days: the module has no tags that Go takes. */
const azurerm: GoModule = {
  path: 'github.com/hashicorp/terraform-provider-azurerm',
  version: 'v1.44.1-0.20260824201233-fae580791926',
  checksum: 'h1:SOgvTJZXNyxmkHHHx8ifgotbvhOi/eadVkoyBNr+4hk=',
};

/** OpenTofu, and the folder of its provider azurerm. */
export interface TerraformPrograms {
  readonly tofu: string;
  readonly providers: string;
}

/** Builds both where they are missing; OpenTofu finds a provider by the name of its file. Throws with what they need. */
export function buildTerraform(): TerraformPrograms {
  const executableOf = ({ version }: GoModule, name: string) => join('terraform', version, name);
  const provider = buildModuleProgram({
    module: azurerm,
    package: '.',
    executable: executableOf(azurerm, 'terraform-provider-azurerm'),
  });
  return {
    tofu: buildModuleProgram({ module: tofu, package: './cmd/tofu', executable: executableOf(tofu, 'tofu') }),
    providers: dirname(provider),
  };
}
