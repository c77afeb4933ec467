import { type ProviderAccess } from '../../platform/runtime-config/runtime-configuration';
import { type AiProvider } from './ai-provider';

/** A provider and one of its models. */
export interface AiTarget {
  readonly provider: AiProvider;
  readonly model: string;
  /** Key and address for the request. If absent, those that are configured when the call begins. */
  readonly access?: ProviderAccess;
}

/** Chooses the provider for a call. Use it for each call: the configuration changes while the service runs. */
export abstract class AiStrategy {
  /** Returns the provider and the model for a call that starts now. */
  abstract current(): Promise<AiTarget>;

  /** Returns the provider of this name and its default model, or undefined if there is none. */
  abstract named(name: string): AiTarget | undefined;

  /** Returns the provider that makes embeddings with this model, or undefined in mock mode and if no provider can. */
  abstract embedding(model: string): Promise<AiTarget | undefined>;
}
