import { Injectable, type Type } from '@nestjs/common';

/**
 * Request classes that have more fields in this application than a route's parameter says: what has been
 * registered at its start adds them. Bodies are checked against the further class, and the OpenAPI document
 * shows it.
 */
@Injectable()
export class RequestClasses {
  /** Each class with what stands in its place. */
  readonly replaced = new Map<Type<object>, Type<object>>();

  /** @param to what a request is checked against where a route's parameter says `from` */
  replace(from: Type<object>, to: Type<object>): void {
    this.replaced.set(from, to);
  }

  /** What a request is checked against. */
  of<T extends Type<object>>(type: T): T {
    return (this.replaced.get(type) as T | undefined) ?? type;
  }
}
