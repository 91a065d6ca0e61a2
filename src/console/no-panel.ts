/** Replaces the panel in builds without the condition `development`, so that nothing of it is in a production build. */
export function mountPanel(_options: object): () => void {
  console.info('petstore-mock shows its panel only in builds with the condition "development", as of Vite and webpack.')
  return () => {}
}
