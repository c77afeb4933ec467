/** Name of a colour formula that comes without one. */
export const DEFAULT_COLOR_NAME = '未命名颜色配方';

/** Most characters of a name, for requests and imports alike. */
export const COLOR_NAME_LENGTH = 200;

/** How many neighbours a recommendation is based on. */
export const RECOMMEND_NEIGHBOURS = 5;
