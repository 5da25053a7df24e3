/* Binary archives: they take pipelines, and write a file without any. */
#include "object.h"

static NSString *const archive_domain = @"MTLBinaryArchiveDomain";

@implementation MTLBinaryArchiveDescriptor
@synthesize url = _url;

- (id)copyWithZone:(NSZone *)zone {
    MTLBinaryArchiveDescriptor *copy = [[MTLBinaryArchiveDescriptor allocWithZone:zone] init];
    [copy setUrl:_url];
    return copy;
}

- (void)dealloc {
    [_url release];
    [super dealloc];
}

@end

@interface SimBinaryArchive : SimObject <MTLBinaryArchive>
@end

@implementation SimBinaryArchive

- (BOOL)addComputePipelineFunctionsWithDescriptor:(MTLComputePipelineDescriptor *)descriptor
                                            error:(NSError **)error {
    BOOL complete = [descriptor computeFunction] != nil;
    simmetal_fail(error,
                  complete ? nil
                           : simmetal_error(archive_domain, 1, @"The descriptor has no function"));
    return complete;
}

- (BOOL)serializeToURL:(NSURL *)url error:(NSError **)error {
    BOOL written = [[NSData data] writeToFile:[url path] atomically:YES];
    simmetal_fail(
        error, written ? nil : simmetal_error(archive_domain, 2, @"%@: not written", [url path]));
    return written;
}

@end

@implementation _MTLDevice (BinaryArchives)

- (id<MTLBinaryArchive>)newBinaryArchiveWithDescriptor:(MTLBinaryArchiveDescriptor *)descriptor
                                                 error:(NSError **)error {
    if ([self simConfig]->faults & SIMMETAL_FAULT_NO_BINARY_ARCHIVE) {
        [NSException raise:NSInternalInconsistencyException
                    format:@"Target device architecture is nil"];
    }
    NSString *path = [[descriptor url] path];
    if (path && ![[NSFileManager defaultManager] isReadableFileAtPath:path])
        return simmetal_fail(error, simmetal_error(archive_domain, 1, @"%@: cannot be read", path));
    simmetal_fail(error, nil);
    return [[SimBinaryArchive alloc] initWithDevice:self];
}

@end
