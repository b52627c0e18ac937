import type { Image } from '../../database/images.ts'

/** What a description of an image is compared with. */
export function imageText({ filename, alt }: Image): string {
  return `${filename} ${alt}`
}
