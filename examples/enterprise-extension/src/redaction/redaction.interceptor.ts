import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { aiCallOf, type AiEvent } from 'formula-development-service';
import type { Observable } from 'rxjs';
import { CustomerNames } from './customer-names';

// #region interceptor
/** Takes customers' names out of what AI providers get. Audit and cache know the call by what is sent. */
@Injectable()
export class RedactionInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly customers: CustomerNames) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    const without = (text: string) => this.customers.takenOutOf(text);
    if (call.capability.embedding) call.withTexts(call.texts.map(without));
    else call.withPrompt({ user: without(call.prompt.user) }); // the instructions hold nothing of users
    return next.handle();
  }
}
// #endregion
