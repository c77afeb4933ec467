import { Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { Observable } from 'rxjs';
import {
  ConcurrencyLimiter,
  InvalidInputError,
  Public,
  record,
  type StreamMessage,
  streamOpened,
  type StreamOpened,
  StreamsEvents,
  UseLane,
} from '../../src';

/** Where handlers wait until a test lets them go on. */
@Injectable()
export class Gate {
  /** Handlers that have begun, ever. */
  begun = 0;
  /** Streams that are open. */
  streams = 0;
  private readonly waiting: (() => void)[] = [];

  pass(): Promise<void> {
    this.begun++;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Lets those go on who wait longest. */
  open(handlers = this.waiting.length): void {
    for (const go of this.waiting.splice(0, handlers)) go();
  }
}

@Controller('ext/gated')
class GatedController {
  constructor(
    private readonly gate: Gate,
    private readonly limiter: ConcurrencyLimiter,
  ) {}

  @Get('short')
  async short() {
    await this.gate.pass();
    return record('short');
  }

  @Public()
  @Get('public')
  async public() {
    await this.gate.pass();
    return record('public');
  }

  @Get('heavy')
  @UseLane('search')
  async heavy() {
    await this.gate.pass();
    return record('heavy');
  }

  @Get('failing')
  @UseLane('search')
  failing() {
    throw new InvalidInputError('错误');
  }

  /** A lane inside another one of the database. */
  @Get('nested')
  @UseLane('search')
  nested() {
    return this.limiter.run('write', () => Promise.resolve(record('nested')));
  }

  /** A lane of the database inside that of AI calls. */
  @Get('ai')
  @UseLane('ai')
  ai() {
    return this.limiter.run('search', async () => {
      await this.gate.pass();
      return record('ai');
    });
  }

  @Get('large')
  large() {
    this.gate.begun++;
    return record('x'.repeat(20_000_000));
  }

  @Post('stream')
  @StreamsEvents()
  @UseLane('ai')
  stream(): Observable<StreamMessage | StreamOpened> {
    return this.silent();
  }

  /** As `stream`, with the decorators in the other order. */
  @Post('heavy-stream')
  @UseLane('ai')
  @StreamsEvents()
  heavyStream(): Observable<StreamMessage | StreamOpened> {
    return this.silent();
  }

  private silent() {
    return new Observable<StreamMessage>(() => {
      this.gate.streams++;
      return () => this.gate.streams--;
    }).pipe(streamOpened());
  }
}

/** Routes that take as long as a test wants, of an extension. */
@Module({ controllers: [GatedController], providers: [Gate] })
export class GatedRoutesModule {}
