import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { UseLane } from '../../platform/request-limits/lane.decorator';
import { page } from '../../platform/http/envelope';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses';
import { faultOf, text } from '../../platform/texts/text';
import { ColorLibraryService } from './color-library.service';
import { LibraryQuery, NamedColorDto } from './color-library.dto';

@ApiTags('color')
@Controller('color/library')
@UseLane('catalogue')
export class ColorLibraryController {
  constructor(private readonly library: ColorLibraryService) {}

  @Get()
  @ApiOperation({
    summary: 'Named colours, by name or nearest to a colour',
    description:
      '320 traditional Chinese colours and about 4900 English colour names with their sRGB value and its CIELAB coordinates ' +
      '(D65, 2°). For reference: measurements under another observer or illuminant compare only roughly.',
  })
  @ApiPage(NamedColorDto)
  @ApiErrors({ 400: faultOf('b', text('color.incomplete-lab')) })
  async find(@Query() query: LibraryQuery) {
    return page(await this.library.find(query), query);
  }
}
