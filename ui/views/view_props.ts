/** What a view gets: the parts of its path. */
export interface ViewProps {
  name?: string;
}
