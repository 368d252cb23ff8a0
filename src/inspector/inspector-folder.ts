/** The folder of the inspector, below the base of its host. */
export const inspectorFolder = '__mock-api'
