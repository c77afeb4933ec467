import { SetMetadata } from '@nestjs/common';
import { RouteMetadata } from './route-metadata';

@SetMetadata('open', 'class')
class Base {
  @SetMetadata('open', 'handler')
  marked(this: void) {}

  plain(this: void) {}
}

class Other {}

describe('RouteMetadata', () => {
  const of = (metadata: RouteMetadata, handler: () => void, controller: new () => object) =>
    metadata.getAllAndOverride<string | undefined>('open', [handler, controller]);

  it('prefers what the handler says, then what the class says, the same every time', () => {
    const metadata = new RouteMetadata();
    const { marked, plain } = Base.prototype;
    for (let time = 0; time < 2; time++) {
      expect(of(metadata, marked, Base)).toBe('handler');
      expect(of(metadata, plain, Base)).toBe('class');
      // A handler that several controllers inherit is another route in each.
      expect(of(metadata, plain, Other)).toBeUndefined();
    }
  });

  it('takes any number of places to look, as Nest’s own does', () => {
    const metadata = new RouteMetadata();
    const { plain } = Base.prototype;
    const places = [plain, Other, Base];
    for (let time = 0; time < 2; time++) {
      expect(metadata.getAllAndOverride<string | undefined>('open', places)).toBe('class');
      expect(of(metadata, plain, Other)).toBeUndefined();
    }
  });

  it('looks a route up once', () => {
    const get = jest.spyOn(RouteMetadata.prototype, 'get');
    const metadata = new RouteMetadata();
    for (let time = 0; time < 3; time++) of(metadata, Base.prototype.plain, Other);
    expect(get).toHaveBeenCalledTimes(2);
    get.mockRestore();
  });
});
