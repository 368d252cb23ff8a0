/** Folder of the inspector, below the base of the host. */
export const inspectorFolder = '__mock-api'
