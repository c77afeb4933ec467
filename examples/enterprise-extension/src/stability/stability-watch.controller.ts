import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  ApiErrors,
  type CurrentUser,
  PathId,
  streamOpened,
  type StreamOpened,
  StreamsEvents,
  User,
} from 'formula-development-service';
import type { Observable } from 'rxjs';
import { NO_SUCH_TEST, StabilityService } from './stability.service';
import { type StateMessage, StabilityWatch } from './stability-watch';

/** As the document shows a stream: a line of JSON and a blank one for each message. */
const STATES = { schema: { type: 'string' }, example: 'data: {"type":"state","state":"running"}\n\n' };

// #region watch
@ApiTags('stability')
@Controller('ext/stability-tests')
export class StabilityWatchController {
  constructor(
    private readonly tests: StabilityService,
    private readonly states: StabilityWatch,
  ) {}

  /** Tells a test's state and each change of it, up to its result. */
  @Get(':id/watch')
  @StreamsEvents()
  @ApiOkResponse({ description: 'One `state` message for each', content: { 'text/event-stream': STATES } })
  @ApiErrors({ 404: NO_SUCH_TEST })
  async watch(
    @User() user: CurrentUser,
    @Param('id', PathId) id: string,
  ): Promise<Observable<StateMessage | StreamOpened>> {
    await this.tests.get(user, id); // what fails here is answered as JSON
    return this.states.of(user, id).pipe(streamOpened()); // StateMessage extends StreamMessage: { type: string }
  }
}
// #endregion
