import type { Tool } from 'loadout'
import { cmsAddImageToSection } from './images/add-image-to-section.ts'
import { cmsAddNavigationItem } from './navigation/add-navigation-item.ts'
import { cmsAddSectionToPage } from './sections/add-section-to-page.ts'
import { cmsArchivePost } from './posts/archive-post.ts'
import { cmsCreatePage } from './pages/create-page.ts'
import { cmsCreatePageWithContent } from './pages/create-page-with-content.ts'
import { cmsCreatePost } from './posts/create-post.ts'
import { cmsDeleteImage } from './images/delete-image.ts'
import { cmsDeletePage } from './pages/delete-page.ts'
import { cmsDeletePageSection } from './sections/delete-page-section.ts'
import { cmsDeletePageSections } from './sections/delete-page-sections.ts'
import { cmsDeletePost } from './posts/delete-post.ts'
import { cmsFindImage } from './images/find-image.ts'
import { cmsFindResource } from './search/find-resource.ts'
import { cmsGetCollectionEntries } from './entries/get-collection-entries.ts'
import { cmsGetEntryContent } from './entries/get-entry-content.ts'
import { cmsGetNavigation } from './navigation/get-navigation.ts'
import { cmsGetPage } from './pages/get-page.ts'
import { cmsGetPageSections } from './sections/get-page-sections.ts'
import { cmsGetPost } from './posts/get-post.ts'
import { cmsGetSectionContent } from './sections/get-section-content.ts'
import { cmsGetSectionFields } from './sections/get-section-fields.ts'
import { cmsListAllImages } from './images/list-all-images.ts'
import { cmsListPages } from './pages/list-pages.ts'
import { cmsListPosts } from './posts/list-posts.ts'
import { cmsListSectionTemplates } from './sections/list-section-templates.ts'
import { cmsPublishPost } from './posts/publish-post.ts'
import { cmsRemoveNavigationItem } from './navigation/remove-navigation-item.ts'
import { cmsReplaceImage } from './images/replace-image.ts'
import { cmsSearchImages } from './images/search-images.ts'
import { cmsToggleNavigationItem } from './navigation/toggle-navigation-item.ts'
import { cmsUpdateNavigationItem } from './navigation/update-navigation-item.ts'
import { cmsUpdatePage } from './pages/update-page.ts'
import { cmsUpdatePost } from './posts/update-post.ts'
import { cmsUpdateSectionContent } from './sections/update-section-content.ts'
import { cmsUpdateSectionImage } from './images/update-section-image.ts'
import { httpGet } from './http/http-get.ts'
import { httpPost } from './http/http-post.ts'
import { pexelsDownloadPhoto } from './pexels/download-photo.ts'
import { pexelsSearchPhotos } from './pexels/search-photos.ts'
import { planAnalyzeTask } from './planning/analyze-task.ts'
import { searchVector } from './search/search-vector.ts'
import { webDeepResearch } from './research/deep-research.ts'
import { webFetchContent } from './research/fetch-content.ts'
import { webQuickSearch } from './research/quick-search.ts'

/** Every tool of the site, by topic. A new one is added here, and nowhere else. */
export const CMS_TOOLS: readonly Tool[] = [
  cmsCreatePageWithContent,
  cmsCreatePage,
  cmsDeletePage,
  cmsGetPage,
  cmsListPages,
  cmsUpdatePage,
  cmsAddSectionToPage,
  cmsDeletePageSection,
  cmsDeletePageSections,
  cmsGetPageSections,
  cmsGetSectionContent,
  cmsGetSectionFields,
  cmsListSectionTemplates,
  cmsUpdateSectionContent,
  cmsAddImageToSection,
  cmsDeleteImage,
  cmsFindImage,
  cmsListAllImages,
  cmsReplaceImage,
  cmsSearchImages,
  cmsUpdateSectionImage,
  cmsArchivePost,
  cmsCreatePost,
  cmsDeletePost,
  cmsGetPost,
  cmsListPosts,
  cmsPublishPost,
  cmsUpdatePost,
  cmsAddNavigationItem,
  cmsGetNavigation,
  cmsRemoveNavigationItem,
  cmsToggleNavigationItem,
  cmsUpdateNavigationItem,
  cmsGetCollectionEntries,
  cmsGetEntryContent,
  cmsFindResource,
  searchVector,
  httpGet,
  httpPost,
  webDeepResearch,
  webFetchContent,
  webQuickSearch,
  pexelsDownloadPhoto,
  pexelsSearchPhotos,
  planAnalyzeTask,
]
