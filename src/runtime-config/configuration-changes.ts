import { Injectable } from '@nestjs/common';

type Listener = () => void | Promise<void>;

/**
 * Announces that the configuration has changed. Behind this one class, so that several instances may come to
 * share it.
 */
@Injectable()
export class ConfigurationChanges {
  private readonly listeners = new Set<Listener>();

  /** @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when everybody has acted on it. */
  async announce(): Promise<void> {
    await Promise.all([...this.listeners].map(async (listener) => listener()));
  }
}
