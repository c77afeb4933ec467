import { type Capability, COMMON_RULES, dataBlock } from 'formula-development-service';
import { z } from 'zod';

// #region capability
export interface ProductIdea {
  readonly idea: string;
}

const answerSchema = z.object({ names: z.array(z.string().min(1).max(40)).min(1).max(5) });

export type ProductNames = z.infer<typeof answerSchema>;

/** Proposes names for a product. Audit, budgets and `canUse` of a policy know it as `name-product`. */
export const nameProduct: Capability<ProductIdea, ProductNames> = {
  name: 'name-product',
  schema: answerSchema,
  whenFailed: 'preset', // 'failure' answers 502 to 504 where an invented answer would do harm
  maxTokens: 300,
  prompt: ({ idea }) => ({
    system: `Propose up to five names for a cosmetic product, without claims about its effect.\n${COMMON_RULES}`,
    user: dataBlock({ idea }), // delimited, so that text of users is no instruction
  }),
  preset: ({ idea }) => ({ names: [idea.slice(0, 40)] }),
};
// #endregion
